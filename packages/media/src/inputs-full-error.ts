/** The files that an account's tasks have stored for vendors take all the bytes they may, until some of them expire. */
export class InputsFullError extends Error {
  constructor(accountId: string) {
    super(`the files for vendors of account ${accountId} take all that they may`);
    this.name = 'InputsFullError';
  }
}
