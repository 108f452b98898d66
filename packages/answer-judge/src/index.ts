export { createAnswerJudge, type SeenAnswer } from './answer-judge';
export { createAnswerRecord } from './answer-record';
