# Runs the steps of a check in two lanes, one step at a time in each. Source it after support.bash.
#
# `plan` declares a step, its lane and the steps that it waits for; `run_plan` runs all steps. A step is a function; it runs in
# its own process group, without input, and its output is kept in a file. Each lane begins its own steps in the order of the plan,
# and a step of the other lane if none of its own can begin. The first step that fails stops the other running step. Then the
# script prints the output of the failed step, the summary, and the errors at the very end.

steps=()                                                    # functions, in the order of the plan
declare -A title=() needs=() lane=() state=() began=() process=()
running=()
summary=()
logs=$(mktemp -d)
leave() { # runs when the script ends, also if it is interrupted
  local step
  for step in "${running[@]}"; do note "stopped: ${title[$step]}"; done
  stop_steps
  rm -rf -- "$logs"
}
trap leave EXIT

# Adds a step, with the steps that must have passed before it begins. A step that is not in the plan is not waited for.
#
# Lane 1 has steps with time limits, and steps that most others wait for. Lane 2 has steps that use the processors for minutes,
# and gets the processor time that lane 1 leaves.
plan() { # LANE FUNCTION TITLE [FUNCTION...]
  local step=$2
  steps+=("$step")
  lane[$step]=$1 title[$step]=$3 state[$step]=waits
  shift 3
  needs[$step]=$*
}

may_begin() { # FUNCTION
  local need
  [[ ${state[$1]} == waits ]] || return 1
  for need in ${needs[$1]}; do [[ ${state[$need]-passed} == passed ]] || return 1; done
}

# Sets `next` to the step that a lane begins next, preferably a step of that lane.
choose() { # LANE
  local own step
  for own in yes ''; do
    for step in "${steps[@]}"; do
      [[ ${own:+$1} == "${own:+${lane[$step]}}" ]] || continue
      if may_begin "$step"; then
        next=$step
        return
      fi
    done
  done
  return 1
}

begin() { # FUNCTION
  say "--> ${title[$1]}"
  began[$1]=$SECONDS state[$1]=runs
  running+=("$1")
  set -m
  (
    set +m
    [[ ${lane[$1]} == 1 ]] || renice -n 19 -p "$BASHPID" >/dev/null
    status=0
    # The function is called in a condition, where `set -e` does not apply: the function must itself return a status when
    # something fails.
    "$1" || status=1
    times >"$logs/$1.times"
    exit "$status"
  ) </dev/null >"$logs/$1" 2>&1 &
  process[$1]=$!
  set +m
}

# Adds a line to the summary: how many seconds the step took by the clock, while another step could
# run, too, and how much processor time it used.
sum_up() { # WORD FUNCTION
  local used='' minutes
  minutes='([0-9]+)m([0-9]+)\.[0-9]+s'
  if [[ $(tail -n 1 "$logs/$2.times" 2>/dev/null) =~ ^$minutes\ $minutes$ ]]; then
    used=$((BASH_REMATCH[1] * 60 + BASH_REMATCH[2] + BASH_REMATCH[3] * 60 + BASH_REMATCH[4]))
  fi
  summary+=("$(printf '%-7s %4d s %5s s  %s' "$1" $((SECONDS - began[$2])) "${used:--}" "${title[$2]}")")
}

# Prints the process ids of all descendants of a process. A build starts compilers in separate process groups, which would outlive
# it.
descendants() { # PID
  grep -hE '^P?Pid:' /proc/[0-9]*/status 2>/dev/null | awk -v root="$1" '
    $1 == "Pid:" { pid = $2 }
    $1 == "PPid:" { parent[pid] = $2 }
    END { for (pid in parent) { at = pid; while (at in parent && at != root) at = parent[at]; if (at == root && pid != root) print pid } }'
}

# Ends the running steps with all processes that they have started.
stop_steps() {
  local step
  for step in "${running[@]}"; do
    # shellcheck disable=SC2046 # several ids
    kill -- "-${process[$step]}" $(descendants "${process[$step]}") 2>/dev/null || true
  done
  for step in "${running[@]}"; do wait "${process[$step]}" 2>/dev/null || true; done
  running=()
}

finish() { # STATUS [LOG]
  printf '\n==> Summary: seconds by the clock, two steps at a time, and seconds of processors\n'
  ((${#summary[@]} == 0)) || printf '    %s\n' "${summary[@]}"
  printf '    %s, %d s in all\n' "$([[ $1 == 0 ]] && echo passed || echo FAILED)" "$SECONDS"
  [[ $1 == 0 ]] || print_errors "$2"
  exit "$1"
}

# Prints the errors among the thousands of lines of a log. They come last, because readers of a log
# begin at its end.
print_errors() { # LOG
  printf '\n==> What failed\n'
  grep -aE -A 2 '✘ .* recorded an issue|: error: |^SUMMARY: |Fatal error: |exited with unexpected signal' "$1" |
    grep -avE '^(--|.*[✔◇] )' | cut -c1-300 | tail -n 20 || true
  # Shows the stack of a sanitizer's finding.
  grep -aE -A 16 '^(Direct|Indirect) leak of |ERROR: (Address|Leak)Sanitizer: |WARNING: ThreadSanitizer: ' "$1" |
    grep -aE 'leak of |Sanitizer: |#[0-9]+ ' | cut -c1-200 | head -n 40 || true
}

ended() { # FUNCTION STATUS
  local step others=()
  for step in "${running[@]}"; do [[ $step == "$1" ]] || others+=("$step"); done
  running=("${others[@]}")
  if (($2 == 0)); then
    state[$1]=passed
    sum_up ok "$1"
    printf '==> %s: done in %d s\n' "${title[$1]}" $((SECONDS - began[$1]))
    # The number of tests that ran, and the tests that were skipped, are worth a line.
    grep -aE '^(.* )?Test run with|^Leaks were not|(Test|Suite) .* skipped' "$logs/$1" | cut -c1-200 | sed 's/^/    /' || true
    return
  fi
  sum_up FAILED "$1"
  for step in "${running[@]}"; do sum_up stopped "$step"; done
  stop_steps
  printf '\n==> %s\n' "${title[$1]}"
  cat "$logs/$1"
  finish 1 "$logs/$1"
}

# Runs the plan to its end, or to the first step that fails.
run_plan() {
  local step next place free status places=('' '') # the step that each lane runs
  while :; do
    for place in 0 1; do
      [[ ! ${places[place]} ]] && choose $((place + 1)) || continue
      places[place]=$next
      begin "$next"
    done
    ((${#running[@]})) || return 0
    status=0 free=''
    wait -n -p free $(for step in "${running[@]}"; do echo "${process[$step]}"; done) || status=$?
    [[ ${free-} ]] || fail "a step has ended without a status; run it again: ${running[*]}"
    for place in 0 1; do
      step=${places[place]}
      [[ $step && ${process[$step]} == "$free" ]] || continue
      places[place]=''
      ended "$step" "$status"
    done
  done
}
