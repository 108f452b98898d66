import { Writable } from 'node:stream';

/**
 * Passes on in one piece what is written within one turn of the event loop: a write to a file or a pipe holds up the whole
 * process, and a busy one logs dozens of lines a turn. What is left at the end of the process is written then.
 */
export class TurnWriter extends Writable {
  constructor(output: Writable) {
    super({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        output.write(chunk);
        done();
      },
      writev: (chunks, done) => {
        output.write(chunks.map(({ chunk }) => chunk).join(''));
        done();
      },
    });
    process.once('exit', () => this.uncork());
  }

  override write(text: string): boolean {
    if (this.writableCorked === 0) {
      this.cork();
      setImmediate(() => this.uncork());
    }
    return super.write(text);
  }
}
