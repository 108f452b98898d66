import type { Json, JsonObject } from '@mediagate/contracts';

/**
 * How a model's requests become the input of a vendor's endpoint: the first form that can say all of a request is sent. What a
 * form does not name it cannot say. `docs/model-templates.md` describes the language for operators.
 */
export type Template = readonly Form[];

export interface Form {
  /** The vendor's name of what is called. */
  endpoint: string;
  /** By the vendor's names. */
  input: Readonly<Record<string, Part>>;
  /** Values of the request that need not be said, by their pointers; `any`: whatever it is. */
  accepts?: Readonly<Record<string, readonly Json[] | 'any'>>;
  output: OutputPlaces;
}

/** A value of the vendor's input: from the request, or as it stands. Maps and lists may hold either. */
export type Part = Json | Source | { first_of: readonly Part[] } | { literal: Json };

/** A value of the request, left out where that has none. What breaks a limit cannot be said. */
export interface Source {
  /** A JSON pointer (RFC 6901) into the request. */
  from: string;
  default?: Json;
  /** Without it the form does not apply. */
  required?: boolean;
  /** A list: what may be said. A map: that, in the vendor's words. */
  values?: readonly Json[] | JsonObject;
  min?: number;
  max?: number;
  max_items?: number;
  max_characters?: number;
  /** A number is multiplied by the first, then the second is added. Bounds are about what it was. */
  times?: number;
  plus?: number;
  as?: 'text' | 'number';
}

/** Pointers into the vendor's answer, in which `*` is every item of a list. */
export interface OutputPlaces {
  image?: string;
  video?: string;
  audio?: string;
  /** How long what was made is. */
  seconds?: string;
  /** Tokens as OpenAI counts them: `{input_tokens, output_tokens, …}`. */
  usage?: string;
  /** A pointer into the request: what is kept ends there, because the vendor makes more than was asked for. */
  keep_seconds?: string;
}

export const OUTPUT_ROLES = ['image', 'video', 'audio'] as const satisfies readonly (keyof OutputPlaces)[];
