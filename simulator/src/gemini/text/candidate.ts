import { createDice, type Dice } from '../../media/dice';
import type { JsonObject } from '../../vendor-call/contract';
import { isJsonObject } from '../../vendor-call/request-body';
import type { TextOrder } from './order';
import { signatureOf } from './signatures';
import { goesByLevels } from './thinking';
import { firstTokens, tokensIn } from './tokens';

/** One answer, as it would be without an end to its length, cut to what was asked for. */
export interface Candidate {
  thought: string;
  content: { kind: 'text'; text: string } | { kind: 'call'; name: string; args: JsonObject; signature?: string };
  finishReason: 'STOP' | 'MAX_TOKENS';
}

export function writeCandidate(order: TextOrder, index: number): Candidate {
  const { calls, thinking, maxOutputTokens } = order;
  const thought = firstTokens(thoughtOf(order), Math.min(thinking.maxTokens, Math.floor(maxOutputTokens / 2)));
  if (calls) {
    const schema = calls.parameters ?? calls.parametersJsonSchema ?? {};
    const args = sampleOf(
      { type: 'object', ...schema },
      { dice: createDice(order.prompt, calls.name), text: order.prompt },
    );
    const call = { kind: 'call', name: calls.name, args: args as JsonObject } as const;
    const signed = goesByLevels(order.model) ? { ...call, signature: signatureOf(calls.name, thought) } : call;
    return { thought, content: signed, finishReason: 'STOP' };
  }
  const stopped = beforeStop(textOf(order, index), order.stopSequences);
  const text = firstTokens(stopped, maxOutputTokens - tokensIn(thought));
  return { thought, content: { kind: 'text', text }, finishReason: text === stopped ? 'STOP' : 'MAX_TOKENS' };
}

function thoughtOf({ prompt, calls }: TextOrder): string {
  const plan = calls ? `I should call ${calls.name}.` : 'I should answer briefly and to the point.';
  return `The user wants this: ${prompt.slice(0, 60)}. ${plan}`;
}

function textOf(order: TextOrder, index: number): string {
  const { format, prompt, seed } = order;
  const words = wordsOf(order, index);
  if (format.kind === 'plain') return words;
  const tools = { dice: createDice(prompt, seed, index), text: words };
  const value = sampleOf(format.schema ?? { type: 'object', properties: { answer: { type: 'string' } } }, tools);
  return format.kind === 'enum' ? String(value) : JSON.stringify(value);
}

/** The words by which the gateway has its own messages translated. */
const TRANSLATION = /\btranslate\b[^.]*? into ([^.]+)\./i;

function wordsOf(order: TextOrder, index: number): string {
  const language = TRANSLATION.exec(order.instruction)?.[1];
  if (language !== undefined) return `[${language}] ${order.prompt}`;
  if (order.functionResults.length > 0) return `The functions gave ${JSON.stringify(order.functionResults)}.`;
  return writeEssay(order, index);
}

function beforeStop(text: string, stopSequences: string[]): string {
  const ends = stopSequences.map((stop) => text.indexOf(stop)).filter((at) => at !== -1);
  return text.slice(0, Math.min(text.length, ...ends));
}

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
function writeEssay({ model, instruction, prompt, seed }: TextOrder, candidate: number): string {
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

const MAX_DEPTH = 12;
const MAX_ITEMS = 20;

/** A value that the schema allows, in the vendor's dialect (`STRING`) or as JSON Schema (`string`). Texts are `text`. */
function sampleOf(schema: JsonObject, { dice, text }: { dice: Dice; text: string }, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  const inner = (next: unknown) => (isJsonObject(next) ? sampleOf(next, { dice, text }, depth + 1) : text);
  const choices = schema['enum'];
  if (Array.isArray(choices)) return choices[Math.floor(dice.between(0, choices.length))];
  const [alternative] = [schema['anyOf']].flat();
  if (isJsonObject(alternative)) return inner(alternative);
  switch (typeOf(schema)) {
    case 'object': {
      const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
      return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, inner(property)]));
    }
    case 'array': {
      const length = Math.min(
        Math.max(numberIn(schema, 'minItems', 0), Math.min(2, numberIn(schema, 'maxItems', 2))),
        MAX_ITEMS,
      );
      return Array.from({ length }, () => inner(schema['items']));
    }
    case 'integer':
      return Math.ceil(drawn(schema, dice));
    case 'number':
      return Math.round(drawn(schema, dice) * 100) / 100;
    case 'boolean':
      return dice.between(0, 1) < 0.5;
    case 'null':
      return null;
    default:
      return text;
  }
}

function typeOf(schema: JsonObject): string {
  const [type] = [schema['type']].flat();
  if (typeof type === 'string') return type.toLowerCase();
  return isJsonObject(schema['properties']) ? 'object' : 'string';
}

function numberIn(schema: JsonObject, name: string, fallback: number): number {
  // The vendor's dialect has whole numbers as strings.
  const value = Number(schema[name] ?? Number.NaN);
  return Number.isFinite(value) ? value : fallback;
}

function drawn(schema: JsonObject, dice: Dice): number {
  const least = numberIn(schema, 'minimum', 0);
  const most = Math.max(least, numberIn(schema, 'maximum', least + 100));
  return Math.min(most, dice.between(least, most));
}
