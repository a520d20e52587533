import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';

/** Names what a user cannot do with a record that they get; announced when it appears. */
export const AccessWarning = ({ text }: { text: string | undefined }): ReactNode => (
  <div role="status" className="ui-fill">
    {text !== undefined && (
      <p className="ui-line ui-top ui-small ui-warn ui-mt-2">
        <TriangleAlert className="ui-lead" />
        {text}
      </p>
    )}
  </div>
);
