import type { FieldSchema, Values } from './fields.ts';

/** What a model does with a body. */
export interface Operation {
  /** `music.extend`. */
  operation: string;
  schema: { required?: string[]; properties: Record<string, FieldSchema> };
  examples: { [name: string]: unknown }[];
  /** What is sent, where it is not the form's fields as they are. */
  write?(model: string, values: Values): Record<string, unknown>;
}
