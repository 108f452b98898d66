import { Option } from 'commander';
import { parseLine } from '../option-values';

const MAX_REASON_CHARACTERS = 500;

/** An option of every command that changes something. */
export function reasonOption(): Option {
  const option = new Option('--reason <text>', 'for the audit log; callers do not see it');
  return option.argParser(parseLine(MAX_REASON_CHARACTERS));
}
