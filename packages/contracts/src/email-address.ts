/** One address alone, that no header or command of a mail can be made of; an international domain in its ASCII form. */
const EMAIL_ADDRESS = /^[^\s@<>()[\],;:\\"]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i;

export function isEmailAddress(text: string): boolean {
  return EMAIL_ADDRESS.test(text);
}
