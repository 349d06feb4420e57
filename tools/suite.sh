#!/usr/bin/env bash
# Runs every package's tests once, on one processor, which shows what leans on luck, and tells
# how long each took. Go takes the results of packages that have not changed from its cache. CI
# runs all of them in random order, and those of the packages that are named with the race
# detector, which costs as much again. The linter has vetted the code already.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
log=$(mktemp)
raced=
tidy_up() {
    if [[ -n $raced ]]; then
        kill -- "-$raced" 2>/dev/null || true
    fi
    rm -f "$log"
}
trap tidy_up EXIT

concurrent=("$@")
# The pages' tests come first: they take longest, and wait for much of that time.
others=(./web/browsertest)
mapfile -t -O 1 others < <(go list ./... | sed 's|^lockstep|.|' | grep --invert-match --line-regexp --fixed-strings "$(printf '%s\n' "${concurrent[@]}" "${others[@]}")")

# Tests of packages that start goroutines, to which the race detector would add nothing
# but time: TestScripts starts the command two hundred times, and a start takes the
# detector a second; the others search all orders of requests, play many schedules one step
# at a time, run long scripts, read long replies or files or fill much memory, and what runs beside each other in them does
# so in shorter tests, too.
unraced=(
    TestScripts TestLessonsGoTheSameWayEverywhere TestLessonsGoAsRecorded TestBreaksAreReal
    TestEveryLessonTellsTheSameOnBothEngines TestMistakesBelongToTheirLesson
    TestCheckReadsAnExportedLesson TestLocksThatHold TestRandomSchedules
    TestNobodyIsServedWhileAScriptRuns TestScriptsThatHoldTooMuchEnd TestManyKeysExpire
    TestMemoryOfABurstIsGivenBack TestManyClientsThatDoNotRead TestTooLargeRequestsEndTheConnection
    TestWhatClientsHaveReadCannotTakeAllMemory TestRandomTransactions
    TestForgedReplies TestPrivate TestShared TestHostileScripts TestTheReductionLosesNothing
    TestConversations TestLocksAreThoseOfTheServer TestFilesAreCompressedForThoseWhoTakeIt TestFilesAreCached
)
plain="^($(IFS='|'; echo "${unraced[*]}"))$"

order=()
if [[ -n ${CI:-} ]]; then
    order=(-shuffle=on)
fi

run() {
    go test -vet=off "${order[@]}" -timeout 30m "$@" 2>&1 | tee -a "$log"
}

failed=
if [[ -n ${CI:-} ]]; then
    set -m # a process group of its own, so that it ends with this script
    run -race -skip "$plain" "${concurrent[@]}" &
    raced=$!
    set +m
    run -cpu 1 -parallel 6 "${others[@]}" || failed=yes
    run -run "$plain" "${concurrent[@]}" || failed=yes
    wait "$raced" || failed=yes
    raced=
else
    run -cpu 1 -parallel 6 "${others[@]}" "${concurrent[@]}" || failed=yes
fi

echo
echo "Seconds by package, slowest first:"
# A line of go test is: ok  	lockstep/engine	0.123s
awk '($1 == "ok" || $1 == "FAIL") && $3 ~ /s$/ { printf "%8.1f  %s%s\n", $3, $2, $1 == "ok" ? "" : "  FAILED" }' "$log" | sort --reverse --numeric-sort
[[ -z $failed ]]
