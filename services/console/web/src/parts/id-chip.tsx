import { CopyButton } from './copy-button.tsx';
import classes from './id-chip.module.css';

const END_CHARACTERS = 6;
const SHORT_CHARACTERS = 14;

/** An id in full on hover and when copied. */
export function IdChip({ id }: { id: string }) {
  return (
    <span className={classes.chip}>
      <code title={id}>{shortId(id)}</code>
      <CopyButton value={id} />
    </span>
  );
}

/** `task_…w6jthg6`: ids begin with the time, so that their ends tell them apart. */
export function shortId(id: string): string {
  if (id.length <= SHORT_CHARACTERS) return id;
  const kind = id.includes('_') ? id.slice(0, id.indexOf('_') + 1) : '';
  return `${kind}…${id.slice(-END_CHARACTERS)}`;
}
