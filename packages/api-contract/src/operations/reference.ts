import type { Content, Operation } from '../operation';
import { anyObject, json } from '../schemas/build';
import { OPEN, UNCHANGED } from './access';

const reference = { ...OPEN, tag: 'Reference', perAddress: true } as const;
const text = (example: string): Content => ({ schema: { type: 'string' }, example });

const DOCUMENT = {
  200: { description: 'The document.', content: json(anyObject()), headers: ['ETag'] },
  304: UNCHANGED,
};

/** Operations by which the API describes itself. */
export const REFERENCE_OPERATIONS = {
  getDocument: {
    ...reference,
    cors: true,
    path: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1',
    answers: DOCUMENT,
  },
  getOperatorsDocument: {
    ...reference,
    path: '/openapi.operators.json',
    summary: 'The operations of operators, as OpenAPI 3.1',
    answers: DOCUMENT,
  },
  getReference: {
    ...reference,
    path: '/docs',
    summary: 'This description, as a page',
    answers: {
      200: { description: 'The page.', content: { 'text/html': text('<!doctype html><html lang="en">…</html>') } },
    },
  },
  getReferenceScript: {
    ...reference,
    path: '/docs/{script}',
    summary: 'Script of that page',
    refusals: [404],
    answers: {
      200: { description: 'The script.', content: { 'text/javascript': text('Redoc.init(…);') }, headers: ['ETag'] },
      304: UNCHANGED,
    },
  },
} satisfies Record<string, Operation>;
