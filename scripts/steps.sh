# For the blocks of README.md and the guides, in bash or zsh: `. scripts/steps.sh`

# Shows the answer on lines of its own, and keeps it.
curl() {
  LAST_ANSWER=$(command curl "$@") || return
  printf '%s\n' "$LAST_ANSWER"
}

# answer data.token: a value of the last answer.
answer() {
  printf '%s' "$LAST_ANSWER" | node -e '
    const [path] = process.argv.slice(1);
    const last = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const value = path.split(".").reduce((inside, name) => inside?.[name], last);
    if (value === undefined || value === null) console.error(`The last answer has no ${path}: ${last.message}`);
    else console.log(value);
  ' "$1"
}

# The code in the newest text message. Without an SMS provider the service writes them to a file.
sms_code() {
  tail -n 1 "${DATA_DIR:-data}/sms-outbox.ndjson" | node -e '
    const { body } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    const code = /\b\d{6}\b/.exec(body)?.[0];
    if (code === undefined) console.error(`The last text message holds no code: ${body}`);
    else console.log(code);
  '
}
