import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directiveIn, LASTING_WORDS, MAGIC_WORDS, withoutDirectives } from './directive';
import { parseScenarios } from './scenarios';

const DOCUMENT = readFileSync(join(__dirname, '../../../docs/test-keys.md'), 'utf8');

const WORDS = [...Object.keys(MAGIC_WORDS), ...LASTING_WORDS.map((word) => `${word}:30`)];

describe('the words of test keys', () => {
  it('are those of the document', () => {
    const documented = [...DOCUMENT.matchAll(/^\| `(test:[\w:]+)` \|/gm)].map(([, word]) => word);
    expect(documented.sort()).toEqual([...WORDS].sort());
  });

  it.each(WORDS)('%s stands for scenarios that there are', (word) => {
    const scenarios = directiveIn(`a boat ${word}, at sea`);
    expect(parseScenarios(scenarios ?? '').mistakes).toEqual([]);
    expect(withoutDirectives(`a boat ${word} at sea`)).toBe('a boat at sea');
  });

  it('are joined with the others of a prompt', () => {
    expect(directiveIn('[[sim:busy*1]] test:slow:2 a fox')).toBe('busy*1,latency=2s');
  });

  it.each(['test:fail:nothing', 'test:slow:601', 'test:soon:5', 'test:slow', 'attest:slow:3', 'test:slow:3:4'])(
    '%s is none, and stays in the prompt',
    (word) => {
      expect(directiveIn(`a ${word} boat`)).toBeUndefined();
      expect(withoutDirectives(`a ${word} boat`)).toBe(`a ${word} boat`);
    },
  );
});
