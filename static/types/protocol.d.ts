// Made by tools/protocol of the Go types of the same names: make generate.

export type Op = 'load' | 'step' | 'line' | 'thread' | 'choose' | 'seek' | 'play' | 'pause' | 'engine' | 'reset' | 'story' | 'fork' | 'ghost' | 'beside' | 'drop' | 'answer' | 'hint' | 'try' | 'next-challenge' | 'solve' | 'search' | 'look' | 'ack' | 'export' | 'sources' | 'check' | 'edit' | 'unedit' | 'discard' | 'author' | 'prove' | 'fill' | 'save';

export interface Command extends Place {
  v: number;
  id: number;
  op: Op;
  n?: number;
  actor?: string;
  choice?: string;
  hz?: number;
  kind?: string;
  beat?: number;
  text?: string;
  rev?: number;
  part?: string;
  source?: string;
  of?: string;
}

export interface Place {
  lesson?: string;
  engine?: string;
  lang?: Lang;
  schedule?: string;
  pos?: number;
  edits?: string;
  challenge?: number;
  answers?: KeptAnswer[];
  was?: string;
  branches?: KeptTimeline[];
  beside?: string;
  besideEdits?: string;
  told?: boolean;
  folder?: string;
  files?: File[];
}

export interface Message extends Partial<Hello>, Partial<Frame>, Partial<Reply> {
  v: number;
  op: string;
}

export interface Hello {
  build: string;
}

export interface Frame {
  rev: number;
  seen: number;
  base: number;
  lesson: string;
  pos: number;
  len: number;
  schedule: string;
  engine: string;
  playing: boolean;
  edits?: string;
  challenge?: number;
  answers?: KeptAnswer[];
  branches?: KeptTimeline[];
  beside?: string;
  besideEdits?: string;
  original?: string;
  say?: string;
  frags: Frag[];
  rows?: Frag[];
}

export interface Frag {
  id: string;
  html: string;
}

export interface KeptTimeline {
  schedule: string;
  pos: number;
  edits?: string;
}

export interface KeptAnswer {
  beat: number;
  text: string;
}

export interface Reply {
  id: number;
  ok: boolean;
  err?: Error;
  file?: string;
  parts?: PartText[];
  noEdits?: string;
  folder?: string;
  files?: File[];
  of?: string;
  offers?: File[];
  saves?: boolean;
  problems?: Problem[];
  unproven?: string;
}

export interface Error {
  code: Code;
  msg: string;
  line?: number;
  col?: number;
}

export type Code = 'bad-message' | 'no-lesson' | 'bad-choice' | 'not-enabled' | 'no-next' | 'too-long' | 'no-ghost' | 'no-ask' | 'no-challenge' | 'syntax' | 'no-edits' | 'no-author' | 'mistakes' | 'not-saved' | 'no-lines' | 'engine' | 'no-start' | 'full' | 'idle' | 'crashed';

export interface PartText {
  part: string;
  original: string;
  source: string;
  offered?: string;
}

export interface Problem {
  file: string;
  line?: number;
  col?: number;
  endCol?: number;
  severity: Severity;
  msg: string;
  text: string;
  unused?: boolean;
}

export type Lang = 'en' | 'zh';

export type Severity = 'error' | 'warning' | 'hint';

export interface File {
  name: string;
  text: string;
  of?: string;
}
