/**
 * Splits a URL with several hosts, such as `postgresql://user@one:5432,two/name`, into a URL for each, without
 * `target_session_attrs`: a `HostsClient` searches the server itself.
 */
export function urlsOf(text: string): string[] {
  const [, start = '', authority = '', rest = ''] = /^(\w+:\/\/)([^/?]*)(.*)$/s.exec(text) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const hosts = authority.slice(at).split(',');
  if (hosts.length === 1) return [text];
  const parameters = rest.replace(/([?&])target_session_attrs=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return hosts.map((host) => `${start}${authority.slice(0, at)}${host}${parameters}`);
}
