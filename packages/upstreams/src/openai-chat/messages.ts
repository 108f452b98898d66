import type { JsonObject } from '@mediagate/contracts';
import { list, object, text } from '../json-guards';
import { field } from './fields';
import { UncarriedError } from './uncarried';

/** The conversation as messages; what instructs the model stands first. */
export function toMessages(request: JsonObject): JsonObject[] {
  const calls = new CallIds();
  const instruction = textOf(partsOf(field(request, 'systemInstruction')));
  const turns = (list(field(request, 'contents')) ?? []).map(object);
  return [
    ...(instruction === '' ? [] : [{ role: 'system', content: instruction }]),
    ...turns.flatMap((turn) => (turn['role'] === 'model' ? [answered(turn, calls)] : asked(turn, calls))),
  ];
}

/** Ids of calls. Where a turn has none, a result belongs to the oldest open call of its function. */
class CallIds {
  readonly #open = new Map<string, string[]>();
  #made = 0;

  call({ id, name }: JsonObject): string {
    this.#made += 1;
    const given = text(id) ?? `call_${this.#made}`;
    this.#open.set(String(name), [...(this.#open.get(String(name)) ?? []), given]);
    return given;
  }

  result({ id, name }: JsonObject): string {
    const open = this.#open.get(String(name)) ?? [];
    const answered = text(id) ?? open[0] ?? `call_${this.#made}`;
    this.#open.set(
      String(name),
      open.filter((each) => each !== answered),
    );
    return answered;
  }
}

function answered(turn: JsonObject, calls: CallIds): JsonObject {
  const parts = partsOf(turn).filter((part) => part['thought'] !== true);
  const reply = textOf(parts);
  const made = parts.flatMap((part) => {
    const call = field(part, 'functionCall');
    return call === undefined ? [] : [object(call)];
  });
  for (const part of parts) refuseFiles(part);
  const toolCalls = made.map((call) => ({
    id: calls.call(call),
    type: 'function',
    function: { name: call['name'] ?? '', arguments: JSON.stringify(call['args'] ?? {}) },
  }));
  return {
    role: 'assistant',
    content: reply === '' && toolCalls.length > 0 ? null : reply,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
}

/** Results of functions are messages of their own, and come first: they answer the turn before. */
function asked(turn: JsonObject, calls: CallIds): JsonObject[] {
  const parts = partsOf(turn);
  const results = parts.flatMap((part) => {
    const result = field(part, 'functionResponse');
    if (result === undefined) return [];
    const { response = {} } = object(result);
    return [{ role: 'tool', tool_call_id: calls.result(object(result)), content: JSON.stringify(response) }];
  });
  const content = parts.filter((part) => field(part, 'functionResponse') === undefined).map(toContent);
  if (content.length === 0) return results;
  const isText = content.every((each) => each['type'] === 'text');
  return [...results, { role: 'user', content: isText ? textOf(content) : content }];
}

const SOUND_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

function toContent(part: JsonObject): JsonObject {
  const inline = field(part, 'inlineData');
  if (inline === undefined) {
    refuseFiles(part);
    return { type: 'text', text: part['text'] ?? '' };
  }
  const data = object(inline);
  const type = (text(field(data, 'mimeType')) ?? '').toLowerCase();
  const base64 = text(data['data']) ?? '';
  if (type.startsWith('image/')) return { type: 'image_url', image_url: { url: `data:${type};base64,${base64}` } };
  const format = SOUND_FORMATS[type];
  if (format === undefined) throw new UncarriedError(type);
  return { type: 'input_audio', input_audio: { data: base64, format } };
}

const FILES = ['fileData', 'inlineData', 'executableCode', 'codeExecutionResult'];

function refuseFiles(part: JsonObject): void {
  const found = FILES.find((name) => field(part, name) !== undefined);
  if (found !== undefined) throw new UncarriedError(found);
}

/** One part of an instruction may stand without a list. */
function partsOf(turn: unknown): JsonObject[] {
  const { parts } = object(turn);
  return (list(parts) ?? (parts === undefined ? [] : [parts])).map(object);
}

function textOf(parts: readonly JsonObject[]): string {
  const texts = parts.map((part) => part['text']).filter((each) => typeof each === 'string' && each !== '');
  return texts.join('\n');
}
