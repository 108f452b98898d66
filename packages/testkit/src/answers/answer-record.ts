import type { AnswerJudge, SeenAnswer } from './answer-judge';

/** The faults of the answers that tests have seen. */
export interface AnswerRecord {
  see(answer: SeenAnswer): void;
  /** @throws Error with every fault since it was last asked. */
  requireDescribed(): void;
}

/** Keeps faults for the end of a test: it may not wait for the answer, or a client's library may hide what is thrown. */
export function createAnswerRecord(judge: AnswerJudge): AnswerRecord {
  const faults = new Set<string>();
  return {
    see(answer) {
      const fault = judge(answer);
      if (fault !== undefined) faults.add(fault);
    },
    requireDescribed() {
      const found = [...faults];
      faults.clear();
      if (found.length > 0) throw new Error(found.join('\n'));
    },
  };
}
