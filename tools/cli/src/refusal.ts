/** An operator asked for something and cannot have it; the message is the sentence that says so. The process ends with code 1. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}
