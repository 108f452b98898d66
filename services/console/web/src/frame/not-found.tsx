import { Compass } from 'lucide-react';
import { Link } from 'react-router';
import { Empty } from '../parts/empty.tsx';
import { say } from './texts.ts';

export function NotFound() {
  return (
    <Empty icon={Compass} title={say('notFound.title')}>
      <Link to="/">{say('notFound.back')}</Link>
    </Empty>
  );
}
