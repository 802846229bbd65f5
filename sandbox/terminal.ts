/** What the person who typed `npm start` sees. */
export type Terminal = {
  say(line: string): void;
  /** Updates one line in place; without a terminal it prints a new line now and then. `percent` runs from 0 to 100. */
  progress(label: string, percent: number): void;
};

const CLEAR_LINE = '\r\x1b[K';
const STEP_WITHOUT_TTY = 25;

export function createTerminal(stream: NodeJS.WriteStream): Terminal {
  let changing = false;
  let shown = { label: '', percent: 0 };
  // The service keeps running when the output is closed (`npm start | head`).
  stream.on('error', () => undefined);
  const say = (line: string) => {
    stream.write(`${changing ? CLEAR_LINE : ''}${line}\n`);
    changing = false;
  };
  return {
    say,
    progress(label, percent) {
      const line = `${label} ${percent} %`;
      if (stream.isTTY) {
        stream.write(`${CLEAR_LINE}${line}`);
        changing = true;
      } else if (label !== shown.label || percent >= shown.percent + STEP_WITHOUT_TTY) {
        shown = { label, percent };
        say(line);
      }
    },
  };
}
