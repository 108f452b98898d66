import { Router } from 'express';
import type { Call, Endpoint, Question, Reply, Wire } from './contract';
import type { CallSurroundings } from './exchange';
import { serveQuestion, serveVendorCall } from './serve';

/** A vendor's routes: paid operations, and calls that cost nothing. */
export interface VendorRouter {
  router: Router;
  /** `POST`; `words` where the operation is refused in others than the vendor's own. */
  start<Body, Job>(path: string | string[], endpoint: Endpoint<Body, Job>, words?: Partial<Wire['words']>): void;
  ask<Subject>(method: 'get' | 'post' | 'put' | 'delete', path: string | string[], question: Question<Subject>): void;
}

export function vendorRouter(wire: Wire, around: CallSurroundings): VendorRouter {
  const router = Router();
  return {
    router,
    start(path, endpoint, words) {
      const spoken = words ? { ...wire, words: { ...wire.words, ...words } } : wire;
      router.post(path, serveVendorCall(spoken, endpoint, around));
    },
    ask: (method, path, question) => void router[method](path, serveQuestion(wire, question, around)),
  };
}

/** A question about nothing of the caller's: models that there are, or what is left on the account. */
export function factQuestion(answer: (call: Call) => Reply): Question<undefined> {
  return {
    operation: 'question',
    find: () => undefined,
    about: () => ({ model: '', prompt: '' }),
    answer: (_nothing, call) => answer(call),
  };
}
