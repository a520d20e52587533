select "id", "xid", "entity", "record_id", "action", "version", "before"
from "audit_entries"
where "xid" >= $1::xid8 and "record_id" is not null
order by "id"
