import type { Answer } from './session';

/** A command found faults in its input; they are its answer, for machines and for people. The process ends with code 1. */
export class FaultyAnswer extends Error {
  readonly answer: Answer;

  constructor(answer: Omit<Answer, 'faulty'>) {
    super(answer.text);
    this.name = 'FaultyAnswer';
    this.answer = { ...answer, faulty: true };
  }
}
