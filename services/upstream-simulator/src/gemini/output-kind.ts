import type { Call, Reply } from '../vendor-call/contract';
import type { GenerateContentRequest } from './request';

/** How one kind of model answers a well-formed request; a kind is one file. */
export interface OutputKind<Job> {
  /** Checks what only this kind asks for; throws a Refusal. */
  prepare(request: GenerateContentRequest, model: string): Promise<Job>;
  run(job: Job, call: Call): Promise<Reply>;
}
