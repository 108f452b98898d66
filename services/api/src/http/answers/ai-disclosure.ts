import type { Response } from 'express';

const FIELD = 'AI-Disclosure';

/** Says that a model makes the answer: a dictionary of structured fields, as draft-abaris-aicdh-01 has it. */
export function discloseModel(response: Response, model: string): void {
  response.setHeader(FIELD, `mode=machine-generated, model="${model}"`);
}

/** An error is no answer of a model. */
export function discloseNothing(response: Response): void {
  response.removeHeader(FIELD);
}
