/** A fault of a field. The message never holds a value of the file. */
export interface FieldFault {
  field: string;
  message: string;
}

/** Everything that is wrong with the configuration file, each fault a line `file:line:field: what and how to fix`. */
export class SettingsError extends Error {
  readonly faults: readonly string[];
  /** The same by field, as `channels[0].models.imagegen-2`; none where the text cannot be read at all. */
  readonly fields: readonly FieldFault[];

  constructor(faults: readonly string[], fields: readonly FieldFault[] = []) {
    super(`The configuration cannot be used:\n${faults.join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
    this.fields = fields;
  }
}
