import { isJsonObject, type Json } from '@mediagate/contracts';
import { afterOthers } from './after-others';

/** Characters that one step writes: some milliseconds. */
const STEP_CHARACTERS = 512 * 1024;
/** Estimated characters of a value, without its names and texts. */
const VALUE_CHARACTERS = 8;

/** The JSON of the value in UTF-8, as `JSON.stringify` has it. Long values are written in steps, between which others have their turn. */
export async function writeJson(value: Json, stepCharacters = STEP_CHARACTERS): Promise<Buffer> {
  const steps: Buffer[] = [];
  let step = '';
  for (const piece of piecesOf(value, stepCharacters)) {
    if (step.length + piece.length > stepCharacters && step !== '') {
      steps.push(Buffer.from(step));
      step = '';
      await afterOthers({ length: Number.POSITIVE_INFINITY });
    }
    step += piece;
  }
  const last = Buffer.from(step);
  return steps.length === 0 ? last : Buffer.concat([...steps, last]);
}

/** Pieces of the JSON in order: whole values, as far as they fit into one step. */
function* piecesOf(value: Json, most: number): Generator<string> {
  if (fits(value, most)) yield JSON.stringify(value);
  else if (typeof value === 'string') yield* piecesOfText(value, most);
  else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* piecesOf(item, most);
    }
    yield ']';
  } else if (isJsonObject(value)) {
    yield '{';
    for (const [index, [name, member]] of Object.entries(value).entries()) {
      yield `${index > 0 ? ',' : ''}${JSON.stringify(name)}:`;
      yield* piecesOf(member as Json, most);
    }
    yield '}';
  } else yield JSON.stringify(value);
}

function fits(value: Json, most: number): boolean {
  const open: (Json | undefined)[] = [value];
  let characters = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    characters += VALUE_CHARACTERS + (typeof next === 'string' ? next.length : 0);
    if (characters + open.length > most) return false;
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isJsonObject(next)) {
      for (const name of Object.keys(next)) {
        characters += name.length;
        open.push(next[name]);
      }
    }
  }
  return true;
}

function* piecesOfText(text: string, most: number): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + most);
    // Both halves of a surrogate pair are written together.
    if (end < text.length && end - start > 1 && isFirstHalf(text.charCodeAt(end - 1))) end -= 1;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
    start = end;
  }
  yield '"';
}

function isFirstHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
