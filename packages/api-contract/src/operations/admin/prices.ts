import type { Operation } from '../../operation';
import { json, listOf, object, page, ref, string, wrapped } from '../../schemas/build';
import { CURSOR, LIMIT } from '../access';
import { CHANGE, READ, REASON } from './access';

const query = (name: string, description: string) =>
  ({ in: 'query', name, description, schema: { type: 'string', maxLength: 200 } }) as const;

export const PRICE_OPERATIONS = {
  adminListPrices: {
    ...READ,
    path: '/admin/v1/prices',
    summary: 'List current prices',
    description: 'The list has all models, and where each price comes from.',
    parameters: [query('model', 'Only for this model.'), query('key', 'Only for this billing key.')],
    answers: { 200: { description: 'The prices.', content: json(wrapped(listOf(ref('Price')))) } },
  },
  adminListPriceOverrides: {
    ...READ,
    path: '/admin/v1/prices/history',
    summary: 'List the prices that operators have set',
    description:
      'The newest first, also what is still to take effect and what no longer counts. Entries are never changed.',
    parameters: [LIMIT, CURSOR, query('key', 'Only for this billing key.')],
    answers: { 200: { description: 'A page of them.', content: json(page(ref('PriceOverride'))) } },
  },
  adminSetPrice: {
    ...CHANGE,
    role: 'billing',
    path: '/admin/v1/prices',
    summary: 'Set a price from a given time on',
    description:
      'Every process changes at that moment, for estimates and submissions alike. What was booked before keeps the price that it was booked at.',
    body: {
      content: json(
        object({
          key: string('The billing key, as in `prices` of the configuration file.'),
          price: {
            anyOf: [{ type: 'number', minimum: 0 }, { type: 'object' }, { const: 'file' }],
            description:
              'As in the file, in currency units with at most 9 decimals: of a whole task, or by unit, or by unit and kind. `file`: what the file says, from then on.',
          },
          'effective_at?': {
            type: 'integer',
            description:
              'In Unix seconds, at least 10 seconds ahead, so that every process knows it in time; by default just then.',
          },
          'reason?': REASON,
        }),
        { key: 'imageseed-4.0', price: { per_image: 0.03 }, effective_at: 1_796_083_200 },
      ),
    },
    answers: {
      201: {
        description: 'What was set.',
        content: json(object({ code: { const: 201 }, data: ref('PriceOverride') })),
      },
    },
  },
} satisfies Record<string, Operation>;
