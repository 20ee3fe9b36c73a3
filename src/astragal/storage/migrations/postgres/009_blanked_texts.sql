-- A text that was blanked has no salt: nobody can try out what it said, and one whose words were lost is another thing.
UPDATE texts SET salt = '' WHERE words IS NULL;
