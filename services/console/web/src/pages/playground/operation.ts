import type { FieldSchema, Values } from './fields.ts';

/** An operation that a model does with a body. */
export interface Operation {
  /** `music.extend`. */
  operation: string;
  schema: { required?: string[]; properties: Record<string, FieldSchema> };
  examples: { [name: string]: unknown }[];
  /** Writes the body where it is not the form's fields as they are. */
  write?(model: string, values: Values): Record<string, unknown>;
}
