// What the linter looks for in the client. Names that are not defined are found by tsc.
import js from '@eslint/js';

export default [
  js.configs.recommended,
  {
    files: ['src/*.js'],
    rules: {
      'no-undef': 'off',
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': ['error', { ignoreReadBeforeAssign: true }],
      'no-shadow': ['error', { builtinGlobals: false }],
      'no-use-before-define': ['error', { functions: false, variables: false, classes: false }],
      'array-callback-return': 'error',
      'no-unused-expressions': ['error', { allowShortCircuit: true, allowTernary: true }],
    },
  },
];
