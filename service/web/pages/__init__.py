"""The pages: a file each. They show what the API tells, and send what it takes."""
