import { createDice } from '../../media/dice';
import type { JsonObject } from '../../vendor-call/contract';
import { writeEssay } from './essay';
import type { TextOrder } from './order';
import { sampleOf } from './sample';
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
