import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TurnWriter } from './turn-writer';

function recording() {
  const written: string[] = [];
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      written.push(chunk);
      done();
    },
  });
  return { written, writer: new TurnWriter(output) };
}

describe('a writer by turns', () => {
  it('passes on what came within one turn in one piece and in order, and each turn by itself', async () => {
    const { written, writer } = recording();
    writer.write('a\n');
    writer.write('b\n');
    expect(written).toEqual([]);
    await nextTurn();
    writer.write('c\n');
    await nextTurn();
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  it('leaves nothing unwritten when the process ends', () => {
    const root = join(__dirname, '../../../..');
    const program = `
      const { TurnWriter } = require('./packages/host/src/log/turn-writer');
      const writer = new TurnWriter(process.stdout);
      writer.write('first ');
      writer.write('last');
      process.exit(0);`;
    const flags = ['--require', './scripts/register-typescript.cjs', '-e', program];
    expect(execFileSync(process.execPath, flags, { cwd: root, encoding: 'utf8' })).toBe('first last');
  });
});
