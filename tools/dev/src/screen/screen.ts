import { cutTo } from './cut';

export interface ScreenOptions {
  write(text: string): void;
  /** True draws the step under way on one line, again and again; else each step is one line when it begins, and one once it is done. */
  isInteractive: boolean;
  inColour: boolean;
  /** Width of the terminal in characters; it may be resized. */
  columns(): number;
}

/** Takes a text in which a step says how far it is; the last one stays beside the step's title. */
export type Detail = (text: string) => void;

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const TITLE_WIDTH = 20;
const CLEAR_LINE = '\r\u001b[K';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';
const CODES: Record<Colour, number> = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2, bold: 1 };

/** The terminal of `npm start`: steps with their time, and lines that are printed above the step under way. */
export class Screen {
  readonly #options: ScreenOptions;
  #frame = 0;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  /** The line of the step under way without its first character, or undefined when there is none. */
  #underWay: (() => string) | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
  }

  /**
   * Shows `title` while `work` runs, and then how long it took and how it went: badly when `work` throws, which is passed on,
   * or when `isGood` says so of its result.
   */
  async step<Result>(
    title: string,
    work: (detail: Detail) => Promise<Result>,
    isGood: (result: Result) => boolean = () => true,
  ): Promise<Result> {
    const startedMs = performance.now();
    let text = '';
    const line = () => stepLine(title, text, performance.now() - startedMs);
    this.#begin(title, line);
    try {
      const result = await work((detail) => {
        text = detail;
      });
      this.#end(isGood(result) ? 'done' : 'failed', line());
      return result;
    } catch (error) {
      this.#end('failed', line());
      throw error;
    }
  }

  print(line: string): void {
    this.#clear();
    this.#options.write(`${line}\n`);
    this.#draw();
  }

  /** Print, cut to so many lines of the terminal; the whole of it has to be found elsewhere. */
  printCut(line: string, colour: Colour, maxLines: number): void {
    const { isInteractive, columns } = this.#options;
    this.print(this.paint(colour, isInteractive ? cutTo(line, maxLines * columns()) : line));
  }

  paint(colour: Colour, text: string): string {
    return this.#options.inColour ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
  }

  /** Leaves a clean line, and shows no step any more; lines are still printed. */
  close(): void {
    this.#stopDrawing();
    this.#isClosed = true;
  }

  #begin(title: string, line: () => string): void {
    if (this.#isClosed) return;
    if (!this.#options.isInteractive) {
      this.print(`begins ${title}`);
      return;
    }
    this.#underWay = line;
    this.#draw();
    this.#timer = setInterval(() => {
      this.#frame += 1;
      this.#draw();
    }, FRAME_MS);
  }

  #end(outcome: 'done' | 'failed', line: string): void {
    if (this.#isClosed) return;
    this.#stopDrawing();
    const colour = outcome === 'done' ? 'green' : 'red';
    const mark = this.#options.isInteractive ? { done: '✔', failed: '✖' } : { done: 'done  ', failed: 'FAILED' };
    this.print(`${this.paint(colour, mark[outcome])} ${this.#cut(line, mark[outcome].length + 1)}`);
  }

  #stopDrawing(): void {
    this.#clear();
    this.#underWay = undefined;
    clearInterval(this.#timer);
  }

  #draw(): void {
    if (this.#underWay === undefined) return;
    const mark = FRAMES[this.#frame % FRAMES.length] ?? '';
    // One column less: some terminals wrap a full line, which could not be drawn over.
    const line = this.#cut(this.#underWay(), mark.length + 2);
    this.#options.write(`${CLEAR_LINE}${this.paint('cyan', mark)} ${line}`);
  }

  #cut(line: string, usedColumns: number): string {
    return this.#options.isInteractive ? cutTo(line, this.#options.columns() - usedColumns) : line;
  }

  #clear(): void {
    if (this.#underWay !== undefined) this.#options.write(CLEAR_LINE);
  }
}

/** The screen on a stream. Colours follow NO_COLOR and FORCE_COLOR, as Node reads them. */
export function openScreen(stream: NodeJS.WriteStream, { TERM }: NodeJS.ProcessEnv): Screen {
  return new Screen({
    write: (text) => void stream.write(text),
    isInteractive: stream.isTTY === true && TERM !== 'dumb',
    inColour: stream.isTTY === true && stream.hasColors(),
    columns: () => stream.columns ?? Number.POSITIVE_INFINITY,
  });
}

function stepLine(title: string, detail: string, tookMs: number): string {
  const time = `${(tookMs / 1000).toFixed(1)} s`;
  return `${title.padEnd(TITLE_WIDTH)} ${time.padStart(7)}${detail === '' ? '' : `   ${detail}`}`;
}
