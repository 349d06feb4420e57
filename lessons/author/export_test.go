package author

// OnlyOutlived is for tests: what it is asked about seldom comes of scripts.
var OnlyOutlived = onlyOutlived
