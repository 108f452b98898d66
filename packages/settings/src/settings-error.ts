/** Everything that is wrong with the configuration file, each fault a line `file:line:field: what and how to fix`. */
export class SettingsError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}
