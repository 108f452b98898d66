import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Failure } from '../parts/failure.tsx';

/** A page that fails to load or to draw says so in its place; the frame and all other pages stay usable. */
export function PageBoundary({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return <Boundary key={pathname}>{children}</Boundary>;
}

class Boundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    // A new release takes the old one's files away: loading the page anew finds the new ones.
    return error === undefined ? this.props.children : <Failure error={error} retry={() => location.reload()} />;
  }
}
