import Ajv from 'ajv';

/** The body that every reference takes: the fields that the benchmark sends, checked by Ajv. */
export interface Body {
  model: string;
  prompt: string;
  size: string;
  quality: string;
  n: number;
  output_format: string;
}

export const isBody = new Ajv().compile<Body>({
  type: 'object',
  additionalProperties: false,
  required: ['model', 'prompt'],
  properties: {
    model: { type: 'string', enum: ['imagegen-2.5-flare'] },
    prompt: { type: 'string', minLength: 1, maxLength: 32_000 },
    size: { type: 'string', maxLength: 16 },
    quality: { type: 'string', enum: ['low', 'medium', 'high'] },
    n: { type: 'integer', minimum: 1, maximum: 4 },
    output_format: { type: 'string', enum: ['png', 'jpeg', 'webp'] },
  },
});

/** The same price as the product asks. */
export const COST_NANO = 5_880_000n;
export const RATES = { image_output: '30000000000', text_input: '5000000000' };
export const DEADLINE_MS = 3_600_000;
