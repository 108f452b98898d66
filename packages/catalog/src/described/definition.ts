import type { JsonObject } from '@mediagate/contracts';
import type { InputSchema } from '../parse-input';

/** A model as the configuration file describes it; its shape has been judged. */
export interface ModelDefinition {
  id: string;
  operation: keyof typeof DESCRIBED_OPERATIONS;
  description: string;
  /** JSON Schema of the body, without `model` and the fields of every submission. */
  input: JsonObject;
  price: PriceDefinition;
  /** Texts and images are reviewed before a task is accepted. */
  moderate: boolean;
  deadline_minutes: number;
  result_lifetime_hours: number;
  examples: readonly JsonObject[];
}

/** Currency units of one of the three. */
export interface PriceDefinition {
  per_task?: number;
  per_image?: number;
  /** Field of the body that says how many images or videos; absent: one. */
  count?: string;
  per_second?: number;
  /** Field of the body that says how many seconds. */
  length?: string;
  /** Seconds where the body leaves them open: they are reserved, and those settled that were made. */
  at_most?: number;
}

/** Where such models may be submitted, and of which family they are then. */
export const DESCRIBED_OPERATIONS = {
  'images.generations': 'image',
  'videos.generations': 'video',
} as const;

/** Says what is wrong with a field of the definition, `price.count`. */
export type Report = (field: string, problem: string) => void;

export type { InputSchema };
