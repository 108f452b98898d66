/** A value that was given is not understood; the message names the argument or option. The process ends with code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
