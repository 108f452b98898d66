import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATEMENTS } from '../src/statements';

const FUNCTIONS = join(__dirname, '../../../prisma/functions');
/** A fence that is written: anything but a column of the same row, or of a row that is being booked. */
const WRITTEN = /\bfence\s*=\s*(?!next_fence\()[^,;]*?\bfence\b\s*[+-]/g;

/** A number that is counted up is given a second time by a standby that did not know the first. */
describe('the next fence of a row', () => {
  it.each(Object.entries(STATEMENTS))('is given by next_fence in %s', (_, { text }) => {
    expect(text.match(WRITTEN)).toBeNull();
  });

  it('is given by next_fence in every function', () => {
    const files = globSync('*.sql', { cwd: FUNCTIONS }).filter((file) => file !== 'next_fence.sql');
    const counted = files.filter((file) => WRITTEN.test(readFileSync(join(FUNCTIONS, file), 'utf8')));
    expect(counted).toEqual([]);
  });
});
