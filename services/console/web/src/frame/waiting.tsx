import { Loader } from '@mantine/core';
import { say } from './texts.ts';
import classes from './waiting.module.css';

/** While code or the session is loaded. It shows itself late, so that what is there at once does not flicker. */
export function Waiting() {
  return (
    <div className={classes.waiting} role="status">
      <Loader size="sm" type="dots" />
      <span className="hidden-visually">{say('loading')}</span>
    </div>
  );
}
