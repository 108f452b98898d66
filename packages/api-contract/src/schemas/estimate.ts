import type { JsonSchema } from '../operation';
import { boolean, listOf, number, object, ref, string, wrapped } from './build';

export const ESTIMATE_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Estimate: object({
    reserved: number('Currency units that the submission would hold: the most that it can cost.'),
    expected: number('What it costs if the model makes what was asked for and does not say what it used.'),
    'affordable?': boolean(
      'Account and key have `reserved` now; of a key of the scope `own` its quota has it. Absent: such a key has no quota.',
    ),
    unit_prices: listOf(
      object({
        unit: string('Name of the unit, as in `prices` of the model.'),
        price: number('Currency units of one unit, or of a million tokens.'),
        quantity: number('How many of them are reserved; factors are counted in.'),
      }),
    ),
    warnings: listOf(string(), 'What would be ignored or changed.'),
  }),
  EstimateAnswer: wrapped(ref('Estimate')),
};

export const ESTIMATE_EXAMPLE = {
  code: 200,
  data: {
    reserved: 0.03,
    expected: 0.03,
    affordable: true,
    unit_prices: [{ unit: 'per_image', price: 0.03, quantity: 1 }],
    warnings: [],
  },
};
