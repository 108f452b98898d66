import { type Failure, failureOf, fieldFailure, type Message, refuseAll } from '@mediagate/contracts';

/** The warnings that something was ignored, as refusals; others tell what was done with a field. */
export function requireNothingIgnored(warnings: readonly Message[], dropped: readonly string[]): void {
  const unread = dropped.map((field) => fieldFailure('unsupported_parameter', field, 'meaningless'));
  refuseAll([...warnings.flatMap(ignoredField), ...unread]);
}

/** Turns a warning that a field was ignored into a failure that says what is wrong with the field. */
function ignoredField({ key, params }: Message): Failure[] {
  const { field, other, values, problem } = params;
  if (!key.startsWith('ignored_') || typeof field !== 'string') return [];
  const refuse = (...about: Parameters<typeof failureOf>[2]) => [failureOf('unsupported_parameter', field, about)];
  switch (key) {
    case 'ignored_unknown':
      return refuse('meaningless');
    case 'ignored_for_problem':
      return refuse('about_field', { problem });
    case 'ignored_not_one_of':
      return refuse('must_be_one_of', { values });
    case 'ignored_without':
    case 'ignored_goes_with':
      return refuse('requires', { other });
    default:
      return refuse('would_be_ignored');
  }
}
