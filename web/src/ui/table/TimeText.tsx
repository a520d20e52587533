import type { ReactNode } from 'react';

/** A text of `formatDateTime`. In a narrow column it breaks only after the day. */
export function TimeText({ text }: { text: string }): ReactNode {
  const [day = '', time] = text.split(', ');
  return (
    <span>
      <span className="ui-nowrap">{time === undefined ? day : `${day},`}</span>{' '}
      <span className="ui-nowrap">{time}</span>
    </span>
  );
}
