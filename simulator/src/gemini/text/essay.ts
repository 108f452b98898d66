import { createDice } from '../../media/dice';
import type { TextOrder } from './order';

/** Seven words each. */
const SENTENCES = [
  'The harbour keeps what the town needs.',
  'A careful plan changes the whole day.',
  'The old bridge carries more than lamps.',
  'Every small step explains a quiet answer.',
  'The morning light gathers its own measure.',
];
const [LEAST_WORDS, MOST_WORDS, MAX_WORDS] = [40, 80, 5_000];
const WORDS_A_SENTENCE = 7;
const QUOTED_CHARS = 120;

/** Words about the prompt: the same for the same prompt, seed and number of the candidate. `200 words` in it is heeded. */
export function writeEssay({ model, instruction, prompt, seed }: TextOrder, candidate: number): string {
  const dice = createDice(model, instruction, prompt, seed, candidate);
  const asked = /\b(\d{1,4}) words\b/.exec(prompt)?.[1];
  const words = asked === undefined ? dice.between(LEAST_WORDS, MOST_WORDS) : Math.min(Number(asked), MAX_WORDS);
  const sentences = Array.from(
    { length: Math.ceil(words / WORDS_A_SENTENCE) },
    () => SENTENCES[Math.floor(dice.between(0, SENTENCES.length))],
  );
  const heeded = instruction === '' ? '' : `Following “${quoted(instruction)}”: `;
  return `${heeded}You asked about “${quoted(prompt)}”. ${sentences.join(' ')}`;
}

function quoted(text: string): string {
  return text.slice(0, QUOTED_CHARS).replace(/\s+/g, ' ');
}
