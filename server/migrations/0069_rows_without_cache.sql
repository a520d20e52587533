-- Breaking: the changes of items, shares, messages and names that older releases read with each list are dropped: a list
-- reads whole rows.
drop trigger record_item_change on deal_items;
drop trigger record_share_change on shares;
drop trigger record_message_change on emails;
drop trigger record_mailed_deal_change on email_deals;
drop trigger record_name_change on statuses;
drop trigger record_name_change on dealerships;
drop trigger record_name_change on users;
drop function record_item_change, record_share_change, record_message_change, record_mailed_deal_change, record_name_change;
drop table deal_part_changes;
