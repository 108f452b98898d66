import type { Call, Reply, StreamedReply } from '../vendor-call/contract';
import type { GenerateContentRequest } from './request';

/** How one kind of model answers a well-formed request; a kind is one file. */
export interface OutputKind<Job> {
  /** Whether the answer begins at once; else it takes the time of an image. */
  isAtOnce: boolean;
  /** Checks what only this kind asks for; throws a Refusal. */
  prepare(request: GenerateContentRequest, options: { model: string; call: Call }): Job | Promise<Job>;
  run(job: Job, call: Call): Reply | Promise<Reply>;
  /** Answers bit by bit; a kind without it cannot. */
  stream?(job: Job, call: Call): StreamedReply;
}
