import { GatewayError, type Json } from '@mediagate/contracts';
import { JSON_MAX_VALUES, PARAMETERS_MAX_BYTES } from '../request-limits';
import { type JsonCount, type JsonLimits, JsonReader } from './json-reader';
import { decodeJson, parseJson } from './parse-json';

/** Texts of a request that hold JSON themselves: together they have the limits of one body. */
export class NestedJson {
  readonly #limits: JsonLimits;
  readonly #takeMemory: (bytes: number) => void;
  readonly #count: JsonCount = { values: 0, nameBytes: 0 };
  #leftBytes: number;

  /** @param takeMemory throws where there is none. */
  constructor(
    { maxBytes, maxValues }: Pick<JsonLimits, 'maxBytes' | 'maxValues'>,
    takeMemory: (bytes: number) => void,
  ) {
    this.#limits = { maxBytes, maxValues, takesFiles: false };
    this.#takeMemory = takeMemory;
    this.#leftBytes = maxBytes;
  }

  /** Undefined: it is no JSON. What goes beyond the limits is not parsed, nor looked at from then on: the answer is `beyond`. */
  parse<Otherwise>(text: string, beyond: Otherwise): Json | Otherwise | undefined {
    this.#leftBytes -= text.length;
    if (this.#leftBytes < 0) return beyond;
    const bytes = Buffer.from(text);
    this.#takeMemory(bytes.length);
    const reader = new JsonReader(this.#limits, () => undefined, this.#count);
    try {
      reader.push(bytes);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.#leftBytes = 0;
      return beyond;
    }
    return parseJson(decodeJson(reader.end().json));
  }
}

const PARAMETER = { maxBytes: PARAMETERS_MAX_BYTES, maxValues: JSON_MAX_VALUES };

/** The JSON of a header, a form's field or a cursor, whose bytes are bounded already. Undefined: it is none, or too complex. */
export function parseParameter(text: string): Json | undefined {
  return new NestedJson(PARAMETER, () => undefined).parse(text, undefined);
}
