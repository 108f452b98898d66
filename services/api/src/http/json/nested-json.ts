import { GatewayError, type Json } from '@mediagate/contracts';
import { JSON_MAX_VALUES, PARAMETERS_MAX_BYTES } from '../../request-limits';
import { afterOthers } from './after-others';
import { type JsonCount, type JsonLimits, JsonReader } from './json-reader';
import { decodeJson, type JudgedText, parseJson } from './parse-json';

/** Characters that one step goes over: some milliseconds, of quotes that are escaped the most. */
const STEP_CHARACTERS = 512 * 1024;

/** Texts of a request that hold JSON themselves: together they have the limits of one body. */
export class NestedJson {
  readonly #limits: JsonLimits;
  readonly #takeMemory: (bytes: number) => void;
  readonly #count: JsonCount = { values: 0, nameBytes: 0 };
  #leftBytes: number;
  #sinceOthers = 0;

  /** @param takeMemory throws where there is none. */
  constructor(
    { maxBytes, maxValues }: Pick<JsonLimits, 'maxBytes' | 'maxValues'>,
    takeMemory: (bytes: number) => void,
  ) {
    this.#limits = { maxBytes, maxValues, takesFiles: false };
    this.#takeMemory = takeMemory;
    this.#leftBytes = maxBytes;
  }

  /**
   * Undefined: it is no JSON. What goes beyond the limits is not parsed, nor looked at from then on: the answer is `beyond`. Others have
   * their turn between the steps of long texts, and of many.
   */
  async parse<Otherwise>(text: string, beyond: Otherwise): Promise<Json | Otherwise | undefined> {
    this.#leftBytes -= text.length;
    if (this.#leftBytes < 0) return beyond;
    const reader = new JsonReader(this.#limits, UNCOUNTED, this.#count);
    for (let at = 0; at < text.length; at += STEP_CHARACTERS) {
      const piece = Buffer.from(text.slice(at, at + STEP_CHARACTERS));
      this.#takeMemory(piece.length);
      await this.#letOthers(piece.length);
      if (!isWithin(reader, piece)) {
        this.#leftBytes = 0;
        return beyond;
      }
    }
    if (text.length > STEP_CHARACTERS) await this.#letOthers(text.length);
    return parseJson(text as JudgedText);
  }

  async #letOthers(length: number): Promise<void> {
    this.#sinceOthers += length;
    if (this.#sinceOthers <= STEP_CHARACTERS) return;
    this.#sinceOthers = length;
    await afterOthers({ length: this.#limits.maxBytes });
  }
}

/** Whether the text so far is within the limits. */
function isWithin(reader: JsonReader, piece: Buffer): boolean {
  try {
    reader.push(piece);
    return true;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return false;
  }
}

/** Its bytes are counted already. */
const UNCOUNTED = { takeMemory: () => undefined };
const PARAMETER = { maxBytes: PARAMETERS_MAX_BYTES, maxValues: JSON_MAX_VALUES, takesFiles: false };

/** The JSON of a header, a form's field or a cursor, whose bytes are bounded already. Undefined: it is none, or too complex. */
export function parseParameter(text: string): Json | undefined {
  const reader = new JsonReader(PARAMETER, UNCOUNTED);
  return isWithin(reader, Buffer.from(text)) ? parseJson(decodeJson(reader.end().json)) : undefined;
}
