import { Link } from 'react-router';
import { say } from '../frame/texts.ts';
import { shortId } from './id-chip.tsx';
import { KindIcon } from './kind-icon.tsx';
import classes from './task-name.module.css';

interface TaskNameProps {
  task: { id: string; model: string; kind: string; test?: boolean | undefined };
}

/** A task's model and id, as a link to the task. */
export function TaskName({ task: { id, model, kind, test } }: TaskNameProps) {
  return (
    <Link to={`/tasks/${id}`} className={classes.task}>
      <KindIcon kind={kind} />
      <span className={classes.names}>
        <span>{model}</span>
        <code className="quiet">{shortId(id)}</code>
      </span>
      {test && <span className={classes.test}>{say('test')}</span>}
    </Link>
  );
}
