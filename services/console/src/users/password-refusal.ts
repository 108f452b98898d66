import { PASSWORD_MAX_CHARACTERS, PASSWORD_MIN_CHARACTERS, type PasswordFault } from '@mediagate/identity';
import type { Refusal } from '../http/refuse';

const MESSAGES: Record<PasswordFault, string> = {
  password_too_short: `A password has ${PASSWORD_MIN_CHARACTERS} characters at least.`,
  password_too_long: `A password has ${PASSWORD_MAX_CHARACTERS} characters at most.`,
  password_guessable: 'The password is the name or e-mail address, or has too few different characters.',
};

export function passwordRefusal(fault: PasswordFault): Refusal {
  return { status: 422, reason: fault, message: MESSAGES[fault] };
}
