// Shows the steps that make a checkout ready, in the look of those that follow (tools/dev/src/screen, which is not built yet):
// on a terminal the one under way is drawn again and again, elsewhere each is a line when it begins and one once it is done.
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const TITLE_WIDTH = 20;
const CLEAR_LINE = '\r\u001b[K';

/** @param {NodeJS.WriteStream} stream */
export function showSteps(stream) {
  const isInteractive = stream.isTTY === true && process.env.TERM !== 'dumb';
  const inColour = isInteractive && stream.hasColors();
  /** @type {{title: string, detail: string, startedMs: number, timer: NodeJS.Timeout | undefined} | undefined} */
  let step;
  let frame = 0;

  const paint = (code, text) => (inColour ? `\u001b[${code}m${text}\u001b[0m` : text);

  /** @param {NonNullable<typeof step>} shown */
  function line(shown) {
    const seconds = `${((performance.now() - shown.startedMs) / 1000).toFixed(1)} s`;
    return `${shown.title.padEnd(TITLE_WIDTH)} ${seconds.padStart(7)}`;
  }

  function draw() {
    if (step === undefined) return;
    frame += 1;
    const whole = `${line(step)}   ${step.detail}`.slice(0, (stream.columns ?? 80) - 3);
    stream.write(`${CLEAR_LINE}${paint(36, FRAMES[frame % FRAMES.length])} ${whole}`);
  }

  function end(isGood) {
    if (step === undefined) return;
    clearInterval(step.timer);
    const [mark, code] = isGood ? ['✔', 32] : ['✖', 31];
    const plain = isGood ? 'done  ' : 'FAILED';
    stream.write(isInteractive ? `${CLEAR_LINE}${paint(code, mark)} ${line(step)}\n` : `${plain} ${line(step)}\n`);
    step = undefined;
  }

  return {
    /** Ends the step before. */
    begin(title, detail) {
      end(true);
      step = { title, detail, startedMs: performance.now(), timer: undefined };
      if (!isInteractive) return void stream.write(`begins ${title.padEnd(TITLE_WIDTH)} ${detail}\n`);
      draw();
      step.timer = setInterval(draw, FRAME_MS);
    },
    /** @param {boolean} isGood how the last step went */
    end,
  };
}
