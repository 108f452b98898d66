/** What an account's tasks have stored for vendors takes all that it may, until some of it expires. */
export class InputsFullError extends Error {
  constructor(accountId: string) {
    super(`the files for vendors of account ${accountId} take all that they may`);
    this.name = 'InputsFullError';
  }
}
