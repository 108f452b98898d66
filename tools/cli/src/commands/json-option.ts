import { Option } from 'commander';

export interface JsonFlag {
  json?: true;
}

/** Every command has it. */
export function jsonOption(): Option {
  return new Option('--json', 'print JSON instead of a table');
}
